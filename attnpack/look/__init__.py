"""What a learner's attention does: the small trained transformer, pictures, text and shapes."""
