"""Pictures drawn: terminal, SVG, PNG, HTML."""
