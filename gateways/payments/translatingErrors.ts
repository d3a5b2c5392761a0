/**
 * Returns a function that runs a request to a provider and translates the error if it fails.
 * @param understood translates an error of the provider's library into ChargeRefused, a subclass of it, or
 * OutcomeUnknown
 */
export const translatingErrors =
  (understood: (error: unknown) => Error) =>
  async <T>(request: () => Promise<T>): Promise<T> => {
    try {
      return await request();
    } catch (error) {
      throw understood(error);
    }
  };
