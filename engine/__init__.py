"""Games as pure rules: no files, no clock, no chance of their own, no cryptography, no printing."""
