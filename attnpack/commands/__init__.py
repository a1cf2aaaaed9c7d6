"""The commands, one concern a module. Nothing heavy is imported before a command runs."""
