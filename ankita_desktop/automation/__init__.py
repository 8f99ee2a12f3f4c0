"""What runs by itself: times in words, the scheduler, watches and notifications."""
