const MARK = 'console-reloaded-for';

/**
 * Reloads the page once when a file of an older release is gone from the server. The mark holds the missing file, so
 * that a file which is missing after the reload as well does not reload the page for ever.
 */
export function reloadOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (!navigator.onLine) {
      // The browser would replace the page with its own. The screen says instead that there is no connection.
      event.preventDefault();
      return;
    }
    const missing = event.payload.message;
    if (sessionStorage.getItem(MARK) === missing) return;
    sessionStorage.setItem(MARK, missing);
    event.preventDefault();
    window.location.reload();
  });
}
