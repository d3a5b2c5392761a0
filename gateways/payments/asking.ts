/**
 * How a port asks its provider.
 * @param understood what an error of its library means
 * @returns runs a request, and throws what its error means: ChargeRefused and its kinds, or OutcomeUnknown
 */
export const asking =
  (understood: (error: unknown) => Error) =>
  async <T>(request: () => Promise<T>): Promise<T> => {
    try {
      return await request();
    } catch (error) {
      throw understood(error);
    }
  };
