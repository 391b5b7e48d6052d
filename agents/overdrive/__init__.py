"""Who decides in Overdrive: features, weights and the agents made of them."""
