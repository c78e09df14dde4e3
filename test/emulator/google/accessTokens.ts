/** The access tokens of the simulated metadata server, one at a time. */
export class AccessTokens {
  #number = 1;

  /** The valid token. */
  get current(): string {
    return `access-token-${this.#number}`;
  }

  /** Invalidates the token before its announced expiry; the next request gets a new one. */
  expire(): void {
    this.#number += 1;
  }

  isValid(authorization: string | undefined): boolean {
    return authorization === `Bearer ${this.current}`;
  }
}
