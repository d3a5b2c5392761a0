/** The address to which the browser returns after a sign-in at an identity provider. */
const KEY = 'console-return';
const START = '/console/';

export function rememberReturn(): void {
  const { pathname, search } = window.location;
  if (pathname.startsWith('/console')) sessionStorage.setItem(KEY, pathname + search);
}

/** Returns the address, once. */
export function takeReturn(): string {
  const address = sessionStorage.getItem(KEY) ?? START;
  sessionStorage.removeItem(KEY);
  return address;
}
