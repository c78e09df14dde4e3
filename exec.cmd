@rem The npm scripts `start` and `firestore` put their program in the place of their shell by `exec`, which Windows lacks: npm
@rem passes SIGTERM and SIGINT to the shell only, and sh (dash) would exit, or wait, without the program.
@%*
