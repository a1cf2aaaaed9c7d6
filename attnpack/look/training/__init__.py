"""Makes the shipped model: `attnpack dev train-model`."""
