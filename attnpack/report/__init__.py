"""Reports and their renderers: one module per form."""
