"""Rules by which agents coordinate; no Ray in here."""
