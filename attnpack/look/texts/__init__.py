"""What the model is told and what it tells: stories, books, generated text."""
