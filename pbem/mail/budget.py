"""How much reading one mail may cost, however it is made."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.fileformat.armor import MAX_BLOCK
from pbem.fileformat.turnfile import MAX_FILE


@dataclass
class Budget:
    """How much reading one mail may still cost."""

    parts: int = 200
    """Parts, attached mails and files that are opened."""
    delimiters: int = 20_000
    """Lines that begin like the end of a part."""
    markup: int = 1_500_000
    """Bytes of HTML from which tags and entities are taken out."""
    armored: int = MAX_BLOCK
    """Bytes between the marks of armors."""
    unpacked: int = MAX_FILE
    """Bytes that come out of zips and uuencoded blocks."""

    unread: set[int] = field(default_factory=set)
    """The forms in which its parts may hold a turn that cannot be read
    (`pbem.mail.unread_forms.Form`)."""
    service: str = ""
    """The domain of the service whose link stands in place of one of its own."""

    def has_part(self) -> bool:
        """Count one part more; False if it is one too many."""
        self.parts -= 1
        return self.parts >= 0
