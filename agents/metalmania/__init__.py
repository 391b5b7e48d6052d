"""Who decides in Metal Mania: the rulings' random policy and the greedy agent."""
