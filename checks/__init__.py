"""The attention pack: stages, oracle, bug models, cards."""
