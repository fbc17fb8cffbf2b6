"""The exercises and questions, one module a notebook; `judges` and `answers` hold what several of them need."""
