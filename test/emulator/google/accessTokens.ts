/** The access tokens that the platform's metadata server gives out, one at a time. */
export class AccessTokens {
  #number = 1;

  /** The one that is valid. */
  get current(): string {
    return `access-token-${this.#number}`;
  }

  /** Makes the valid one expire, though it was said to last longer; the next one asked for is another. */
  expire(): void {
    this.#number += 1;
  }

  isValid(authorization: string | undefined): boolean {
    return authorization === `Bearer ${this.current}`;
  }
}
