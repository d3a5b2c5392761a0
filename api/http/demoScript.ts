/** Functions that the scripts of development pages share. */

/** Browser code: `$` finds an element by its id; `call` sends a request and throws an error with the code and the status of a refusal. */
export const CALLS = `const $ = (id) => document.getElementById(id);

async function call(method, path, body) {
  const response = await fetch('/api/' + path, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = response.status === 204 ? null : await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.code + ': ' + answer.detail), { status: response.status });
  return answer;
}`;

/** Browser code: does the work of a click, and shows why it failed. */
export const ATTEMPT = `async function attempt(work) {
  $('outcome').textContent = '';
  try {
    await work();
  } catch (error) {
    $('outcome').textContent = error.message;
  }
}`;
