/**
 * `npm run commits:check`: checks the subject of every commit since this file was added. A subject has at most 72
 * characters, is imperative, and ends without a full stop (CONTRIBUTING.md). Without a git history (no clone, or a
 * shallow one) nothing is checked.
 */
import { execFileSync } from 'node:child_process';
import { ROOT } from './install.mjs';

const MAX_SUBJECT_LENGTH = 72;

/** Returns the output of a git command, or nothing where the project is not a git clone. */
function git(...args) {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

/** Words that cannot begin an imperative sentence; a few verbs only look like participles. */
const NOT_IMPERATIVE = /^(?!(?:embed|feed|need|seed|speed|bring)$)(\w+ed|\w+ing|the|an?|it|who|what|no|not)$/i;

/** Returns what is wrong with a commit subject, or undefined. */
function problemOf(subject) {
  const text = subject.replace(/^[\w/ -]{1,24}: /, '');
  if (subject.length > MAX_SUBJECT_LENGTH) return `has ${subject.length} characters, at most ${MAX_SUBJECT_LENGTH}`;
  if (text.endsWith('.')) return 'ends with a full stop';
  if (NOT_IMPERATIVE.test(text.split(' ')[0])) return 'does not begin with an imperative verb';
  return undefined;
}

const [added] = git('log', '--diff-filter=A', '--format=%H', '--', 'bin/check-commits.mjs').split('\n');
const lines = added ? git('log', '--no-merges', '--format=%h %s', `${added}..HEAD`).split('\n').filter(Boolean) : [];
for (const line of lines) {
  const [, hash, subject] = /^(\w+) (.*)$/.exec(line) ?? [];
  const problem = problemOf(subject ?? '');
  if (problem === undefined) continue;
  console.error(`Commit ${hash} ${problem}: ${subject}`);
  process.exitCode = 1;
}
