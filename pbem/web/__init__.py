"""What runs in a browser alone: the page that `./run web` builds, and no wheel, holds it
(docs/design.md)."""
