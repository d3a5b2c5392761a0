/** The page at `/auth/passkey-demo`. */
import { CALLS } from '../../http/demoScript.js';

export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Passkey demo</title>
<link rel="stylesheet" href="/auth/passkey-demo/style.css">
</head>
<body>
<main>
<h1>Passkey demo</h1>
<p id="who" aria-live="polite">…</p>

<form id="log-in">
<h2>Sign in with a password</h2>
<label>E-mail <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
</form>

<section>
<h2>Passkey</h2>
<button id="register" type="button">Set up a passkey</button>
<button id="sign-out" type="button">Sign out</button>
<button id="sign-in" type="button">Sign in with a passkey</button>
</section>

<p id="outcome" role="status"></p>
<ul id="passkeys"></ul>
</main>
<script src="/auth/passkey-demo/demo.js"></script>
</body>
</html>
`;

export const STYLE = `body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; }
main { max-width: 32rem; margin: auto; }
label { display: block; margin: 0.5rem 0; }
input { width: 100%; padding: 0.4rem; box-sizing: border-box; font: inherit; }
button { padding: 0.4rem 0.8rem; font: inherit; }
`;

/** The page's script. Tokens are in HttpOnly cookies, which the script cannot read. */
export const SCRIPT = `'use strict';
${CALLS}


async function showWho() {
  const me = await call('GET', 'auth/me/').catch(() => null);
  $('who').textContent = me ? 'Signed in as ' + me.user.email : 'Signed out';
  const passkeys = me ? (await call('GET', 'auth/passkeys/')).results : [];
  $('passkeys').replaceChildren(...passkeys.map(({ name, created_at: at }) => {
    const item = document.createElement('li');
    item.textContent = name + ', ' + new Date(at).toLocaleString();
    return item;
  }));
}

async function attempt(what, work) {
  $('outcome').textContent = what + ' …';
  try {
    await work();
    await showWho();
    $('outcome').textContent = what + ': done';
  } catch (error) {
    $('outcome').textContent = what + ': ' + error.message;
  }
}

$('log-in').addEventListener('submit', (event) => {
  event.preventDefault();
  const { email, password } = Object.fromEntries(new FormData(event.target));
  attempt('Sign in', () => call('POST', 'auth/login/', { email, password }));
});

$('register').addEventListener('click', () => attempt('Set up', async () => {
  const options = await call('POST', 'auth/passkeys/register/begin/', {});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  await call('POST', 'auth/passkeys/register/complete/', { credential: credential.toJSON(), name: 'Demo' });
}));

$('sign-out').addEventListener('click', () => attempt('Sign out', () => call('POST', 'auth/logout/', {})));

$('sign-in').addEventListener('click', () => attempt('Sign in with a passkey', async () => {
  const options = await call('POST', 'auth/passkeys/authenticate/begin/', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  await call('POST', 'auth/passkeys/authenticate/complete/', { credential: credential.toJSON() });
}));

showWho();
`;
