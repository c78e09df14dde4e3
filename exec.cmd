@rem npm scripts put a program in the place of their shell by `exec`, which Windows lacks.
@%*
