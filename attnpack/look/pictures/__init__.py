"""What a picture shows, as values: weights, views, findings. Nothing here draws."""
