/** The page, style and script of `/forums/demo`. */
import { ATTEMPT, CALLS } from '../../http/demoScript.js';

export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Forums demo</title>
<link rel="stylesheet" href="/forums/demo/style.css">
</head>
<body>
<main>
<h1>Forums</h1>
<p id="who">…</p>
<p id="connection" role="status">not connected</p>

<form id="log-in">
<label>E-mail <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
</form>

<section id="signed-in" hidden>
<p><button id="sign-out" type="button">Sign out</button></p>
<ul id="forums"></ul>
<section id="forum" hidden>
<h2 id="forum-name"></h2>
<ul id="threads"></ul>
</section>
<section id="thread" hidden aria-live="polite">
<h2 id="title"></h2>
<p id="body"></p>
<ol id="comments"></ol>
<form id="answer">
<label>Your comment <textarea name="body" maxlength="10000" required></textarea></label>
<button>Send</button>
</form>
</section>
</section>
<p id="outcome" role="alert"></p>
</main>
<script src="/forums/demo/demo.js"></script>
</body>
</html>
`;

export const STYLE = `body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; }
main { max-width: 44rem; margin: auto; }
label { display: block; margin: 0.5rem 0; }
form input, textarea { width: 100%; padding: 0.4rem; box-sizing: border-box; font: inherit; }
button { padding: 0.4rem 0.8rem; font: inherit; }
#forums, #threads { list-style: none; padding: 0; }
#forums button, #threads button { border: 0; background: none; color: #0b57d0; text-align: left; }
#threads .unread button { font-weight: bold; }
#comments, #body { white-space: pre-wrap; }
#comments li { border-bottom: 1px solid #ccc; padding: 0.5rem 0; }
`;

/** Tokens are in HttpOnly cookies, so the script cannot read them. Texts are shown as they were written, as plain text. */
export const SCRIPT = `'use strict';
${CALLS}

${ATTEMPT}

let socket;
let forum = null;
let thread = null;
let loading = false;
let isStale = false;

/** The answer, or null for a forum or a thread that the person no longer sees. */
const find = (path) =>
  call('GET', path).catch((error) => {
    if (error.status === 404) return null;
    throw error;
  });

function item(text, choose) {
  const made = document.createElement('li');
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', textContent: text, onclick: () => attempt(choose) });
  made.append(button);
  return made;
}

const pathOf = () => 'forums/' + forum + '/posts/' + thread + '/';
const topics = () => [...(forum ? ['forum:' + forum] : []), ...(thread ? ['forum_post:' + thread] : [])];
const say = (type, names) => {
  if (socket?.readyState !== WebSocket.OPEN) return;
  for (const topic of names) socket.send(JSON.stringify({ type, topic }));
};

/** Changes what the page shows and hears. */
async function show(nextForum, nextThread) {
  const before = topics();
  forum = nextForum;
  thread = nextThread;
  say('unsubscribe', before.filter((topic) => !topics().includes(topic)));
  say('subscribe', topics().filter((topic) => !before.includes(topic)));
  await load();
}

/** A signal that arrives while the answers are on their way may be newer than they are, so the page loads again. */
async function load() {
  isStale = true;
  if (loading) return;
  loading = true;
  try {
    while (isStale) {
      isStale = false;
      await loadOnce();
    }
  } finally {
    loading = false;
  }
}

async function loadOnce() {
  const { results } = await call('GET', 'forums/?page_size=100');
  $('forums').replaceChildren(
    ...results.map((one) => item(one.name + ' (' + one.unread_count + ' unread)', () => show(one.id, null))),
  );
  await loadForum();
  await loadThread();
}

async function loadForum() {
  const wanted = forum;
  const path = 'forums/' + wanted + '/';
  const found = wanted && (await find(path));
  const feed = found && (await find(path + 'posts/?page_size=50'));
  // The person has chosen another forum meanwhile, which is loaded next.
  if (forum !== wanted) return;
  $('forum').hidden = !feed;
  if (!feed) {
    forum = null;
    thread = null;
    return;
  }
  $('forum-name').textContent = found.name;
  $('threads').replaceChildren(
    ...feed.results.map((post) => {
      const marks = (post.is_pinned ? '[pinned] ' : '') + (post.is_locked ? '[locked] ' : '');
      const shown = item(marks + (post.title ?? 'deleted') + ' (' + post.comment_count + ')', () => open(post.id));
      shown.className = post.is_unread ? 'unread' : '';
      return shown;
    }),
  );
}

async function open(post) {
  await show(forum, post);
  if (thread) await call('POST', pathOf() + 'read/');
}

async function loadThread() {
  const wanted = thread;
  const path = pathOf();
  const post = wanted && (await find(path));
  const comments = post && (await find(path + 'comments/?page_size=100'));
  if (thread !== wanted) return;
  $('thread').hidden = !comments;
  if (!comments) {
    thread = null;
    return;
  }
  $('title').textContent = post.title ?? 'A deleted post';
  $('body').textContent = post.body ?? '';
  $('comments').replaceChildren(
    ...comments.results.map(({ author, body, status }) => {
      const made = document.createElement('li');
      const waits = status === 'pending_review' || status === 'hidden' ? ' (waits for a decision)' : '';
      made.textContent = author ? author.first_name + ': ' + body + waits : 'A deleted comment';
      return made;
    }),
  );
}

const HEARD = {
  hello: () => {
    say('subscribe', topics());
    attempt(load);
  },
  published: () => attempt(load),
  unsubscribed: ({ topic }) => topics().includes(topic) && attempt(load),
  resync: () => attempt(load),
  // Changes before the subscription were not signalled.
  subscribed: () => attempt(load),
};

function connect() {
  const scheme = location.protocol === 'https:' ? 'wss://' : 'ws://';
  const mine = new WebSocket(scheme + location.host + '/api/realtime/');
  socket = mine;
  mine.onopen = () => ($('connection').textContent = 'connected');
  mine.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    HEARD[message.type]?.(message);
  };
  mine.onclose = ({ code }) => {
    if (socket !== mine) return;
    $('connection').textContent = 'not connected (' + code + ')';
    if (code === 4401) attempt(begin);
    else setTimeout(() => socket === mine && connect(), 500 + Math.random() * 2000);
  };
}

async function begin() {
  socket?.close();
  socket = undefined;
  forum = null;
  thread = null;
  const me = await call('GET', 'auth/me/').catch(() => null);
  $('who').textContent = me ? 'Signed in as ' + me.user.email : 'Signed out';
  $('log-in').hidden = Boolean(me);
  $('signed-in').hidden = !me;
  if (!me) return;
  await load();
  connect();
}

const onSubmit = (id, work) =>
  $(id).addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(() => work(Object.fromEntries(new FormData(event.target)), event.target));
  });
onSubmit('log-in', async ({ email, password }) => {
  await call('POST', 'auth/login/', { email, password });
  await begin();
});
// The signal of the new comment shows it, here as in every other window.
onSubmit('answer', async ({ body }, form) => {
  await call('POST', pathOf() + 'comments/', { body });
  form.reset();
});
$('sign-out').onclick = () => attempt(async () => {
  await call('POST', 'auth/logout/', {});
  await begin();
});

attempt(begin);
`;
