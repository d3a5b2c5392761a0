/** The page, style and script of `/notifications/demo`. */
import { ATTEMPT, CALLS } from '../../http/demoScript.js';

export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Notifications demo</title>
<link rel="stylesheet" href="/notifications/demo/style.css">
</head>
<body>
<main>
<h1>Notifications <output id="bell" aria-live="polite" title="Not read">–</output></h1>
<p id="who">…</p>
<p id="connection" role="status">not connected</p>

<form id="log-in">
<label>E-mail <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
</form>

<section id="signed-in" hidden>
<p><button id="read-all" type="button">Mark all as read</button> <button id="sign-out" type="button">Sign out</button></p>
<ul id="list"></ul>
<details open>
<summary>Your notification preferences</summary>
<table>
<thead><tr><th scope="col">Event</th><th scope="col">In the app</th><th scope="col">Mail</th><th scope="col">Push</th></tr></thead>
<tbody id="preferences"></tbody>
</table>
</details>
</section>
<p id="outcome" role="alert"></p>
</main>
<script src="/notifications/demo/demo.js"></script>
</body>
</html>
`;

export const STYLE = `body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; }
main { max-width: 44rem; margin: auto; }
label { display: block; margin: 0.5rem 0; }
form input { width: 100%; padding: 0.4rem; box-sizing: border-box; font: inherit; }
button { padding: 0.4rem 0.8rem; font: inherit; }
#bell { background: #b00020; border-radius: 1rem; color: #fff; font-size: 1rem; padding: 0.1rem 0.6rem; vertical-align: middle; }
#list { list-style: none; padding: 0; }
#list li { border-bottom: 1px solid #ccc; padding: 0.5rem 0; }
#list li:not(.read) strong::before { content: '● '; color: #b00020; }
#list .quiet::after { content: ' (quiet)'; color: #666; }
td, th { padding: 0.1rem 0.6rem; text-align: left; }
`;

/** Tokens are in HttpOnly cookies, so the script cannot read them. */
export const SCRIPT = `'use strict';
${CALLS}

${ATTEMPT}

const WAYS = ['in_app_enabled', 'email_enabled', 'push_enabled'];
let socket;
let newest = null;
let events = 0;

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function show(notification, quiet) {
  const item = $('n-' + notification.id) ?? document.createElement('li');
  item.id = 'n-' + notification.id;
  item.className = (notification.is_read ? 'read ' : '') + (quiet ? 'quiet' : '');
  const read = element('button', 'Read');
  read.hidden = notification.is_read;
  read.onclick = () => attempt(() => call('POST', 'notifications/mark_read/', { notification_ids: [notification.id] }));
  item.replaceChildren(element('strong', notification.title), element('div', notification.body), read);
  if (newest === null || notification.id > newest) newest = notification.id;
  return item;
}

// An event that arrives while the answers are on their way may be newer than they are, so the page loads again.
async function load() {
  const before = events;
  const { results } = await call('GET', 'notifications/?page_size=50');
  const { count } = await call('GET', 'notifications/unread_count/');
  if (events !== before) return load();
  $('list').replaceChildren(...results.map((one) => show(one, false)));
  $('bell').textContent = count;
}

const HEARD = {
  // A page that has no notifications yet cannot say from which id on it needs events, so the server sends no missed
  // events. If a notification arrived while the page was connecting, the page loads the list again.
  hello: ({ newest: newestSent }) => newest === null && newestSent !== null && attempt(load),
  'notification.created': ({ notification, quiet }) => $('list').prepend(show(notification, quiet)),
  'notification.read': ({ ids }) => {
    for (const id of ids) {
      const item = $('n-' + id);
      item?.classList.add('read');
      item?.querySelector('button')?.setAttribute('hidden', '');
    }
  },
  counts: ({ unread_count: unread }) => ($('bell').textContent = unread),
  resync: () => attempt(load),
};

function connect() {
  const scheme = location.protocol === 'https:' ? 'wss://' : 'ws://';
  const mine = new WebSocket(scheme + location.host + '/api/realtime/' + (newest === null ? '' : '?since=' + newest));
  socket = mine;
  mine.onopen = () => ($('connection').textContent = 'connected');
  mine.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    events += 1;
    HEARD[message.type]?.(message);
  };
  mine.onclose = ({ code }) => {
    if (socket !== mine) return;
    $('connection').textContent = 'not connected (' + code + ')';
    if (code === 4401) attempt(begin);
    else setTimeout(() => socket === mine && connect(), 500 + Math.random() * 2000);
  };
}

async function showPreferences() {
  const { results } = await call('GET', 'notifications/preferences/');
  $('preferences').replaceChildren(...results.map((preference) => {
    const row = document.createElement('tr');
    row.append(element('td', preference.event_type), ...WAYS.map((way) => {
      const box = document.createElement('input');
      Object.assign(box, { type: 'checkbox', checked: preference[way], name: preference.event_type + '.' + way });
      box.disabled = preference.locked && way !== 'push_enabled';
      box.onchange = () => attempt(async () => {
        await call('POST', 'notifications/preferences/', { event_type: preference.event_type, [way]: box.checked });
        await showPreferences();
      });
      const cell = document.createElement('td');
      cell.append(box);
      return cell;
    }));
    return row;
  }));
}

async function begin() {
  socket = undefined;
  newest = null;
  const me = await call('GET', 'auth/me/').catch(() => null);
  $('who').textContent = me ? 'Signed in as ' + me.user.email : 'Signed out';
  $('log-in').hidden = Boolean(me);
  $('signed-in').hidden = !me;
  if (!me) return;
  await load();
  await showPreferences();
  connect();
}

$('log-in').addEventListener('submit', (event) => {
  event.preventDefault();
  const { email, password } = Object.fromEntries(new FormData(event.target));
  attempt(async () => {
    await call('POST', 'auth/login/', { email, password });
    await begin();
  });
});
$('read-all').onclick = () => attempt(() => call('POST', 'notifications/mark_read/', { mark_all: true }));
$('sign-out').onclick = () => attempt(async () => {
  await call('POST', 'auth/logout/', {});
  await begin();
});

attempt(begin);
`;
