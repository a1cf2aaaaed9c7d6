"""`attnpack watch`: checks again at each save. Events from threads, one loop that handles them."""
