import { z } from 'zod';
import { budgets } from '../../../kernel/budgets.js';
import { fenced, firstLine, link, type Integration } from '../integration.js';

const user = z.looseObject({ login: z.string() });
const subject = z.looseObject({
  number: z.number(),
  title: z.string(),
  html_url: z.string(),
  body: z.string().nullish(),
  merged: z.boolean().optional(),
});
const commit = z.looseObject({ id: z.string(), message: z.string(), url: z.string() });
const payload = z.looseObject({
  action: z.string().optional(),
  sender: user.optional(),
  repository: z.looseObject({ name: z.string(), full_name: z.string(), html_url: z.string() }),
  ref: z.string().optional(),
  compare: z.string().optional(),
  deleted: z.boolean().optional(),
  forced: z.boolean().optional(),
  commits: z.array(commit).optional(),
  issue: subject.optional(),
  pull_request: subject.optional(),
  comment: z.looseObject({ html_url: z.string(), body: z.string() }).optional(),
  release: z
    .looseObject({ html_url: z.string(), tag_name: z.string(), name: z.string().nullish() })
    .optional(),
  zen: z.string().optional(),
});
type Payload = z.infer<typeof payload>;

const events = ['push', 'issues', 'issue_comment', 'pull_request', 'release', 'ping'] as const;

/** What happens in repositories on GitHub. */
export const github: Integration = {
  displayName: 'GitHub',
  eventHeader: 'x-github-event',
  events,
  read({ body, event }) {
    const sent = payload.parse(body);
    const message = textOf(event, sent);
    return message === null || event === null ? null : { event, ...message };
  },
};

/** Null for events that are not worth a message. */
function textOf(
  event: string | null,
  sent: Payload,
): { readonly topic: string; readonly content: string } | null {
  const { repository, issue, pull_request: pull, release } = sent;
  const who = link(sent.sender?.login ?? 'Somebody', null);
  switch (event) {
    case 'ping':
      return {
        topic: repository.name,
        content: `GitHub's webhook of ${link(repository.full_name, repository.html_url)} is set up.`,
      };
    case 'push':
      return { topic: topicOfBranch(sent), content: pushed(who, sent) };
    case 'issues':
      return issue === undefined ? null : subjectText('issue', issue, { who, sent });
    case 'pull_request': {
      if (pull === undefined) return null;
      const action = sent.action === 'closed' && pull.merged === true ? 'merged' : sent.action;
      return subjectText('PR', pull, { who, sent: { ...sent, action } });
    }
    case 'issue_comment': {
      if (issue === undefined || sent.comment === undefined) return null;
      const { html_url: address, body } = sent.comment;
      const content = `${who} ${link('commented', address)} on ${link(`#${issue.number}`, issue.html_url)}:\n\n${fenced('quote', body)}`;
      return { topic: topicOf('issue', issue, repository.name), content };
    }
    case 'release': {
      if (release === undefined || sent.action !== 'published') return null;
      const name = release.name ?? release.tag_name;
      return { topic: repository.name, content: `${who} released ${link(name, release.html_url)}.` };
    }
    default:
      return null;
  }
}

function topicOfBranch({ repository, ref = '' }: Payload): string {
  return `${repository.name} / ${ref.replace(/^refs\/(heads|tags)\//, '')}`;
}

function pushed(who: string, { commits = [], compare, deleted, forced, ref = '' }: Payload): string {
  const branch = ref.replace(/^refs\/(heads|tags)\//, '');
  if (deleted === true) return `${who} deleted ${link(branch, null)}.`;
  const count = `${commits.length} ${commits.length === 1 ? 'commit' : 'commits'}`;
  const shown = commits.slice(0, budgets.webhookItems.max);
  const lines = shown.map(
    ({ id, message, url }) => `* ${link(firstLine(message), url)} (${link(id.slice(0, 7), null)})`,
  );
  if (shown.length < commits.length) lines.push(`* and ${commits.length - shown.length} more`);
  const verb = forced === true ? 'force-pushed' : 'pushed';
  return [
    `${who} ${link(verb, compare)} ${count} to ${link(branch, null)}.`,
    ...(lines.length > 0 ? ['', ...lines] : []),
  ].join('\n');
}

function topicOf(kind: string, { number, title }: z.infer<typeof subject>, repository: string): string {
  return `${repository} / ${kind} #${number} ${title}`;
}

function subjectText(
  kind: 'issue' | 'PR',
  of: z.infer<typeof subject>,
  { who, sent }: { readonly who: string; readonly sent: Payload },
): { readonly topic: string; readonly content: string } {
  const action = link((sent.action ?? 'changed').replaceAll('_', ' '), null);
  const opening = `${who} ${action} ${link(`${kind} #${of.number} ${of.title}`, of.html_url)}`;
  const says = sent.action === 'opened' && (of.body ?? '') !== '';
  const content = says ? `${opening}:\n\n${fenced('quote', of.body ?? '')}` : `${opening}.`;
  return { topic: topicOf(kind, of, sent.repository.name), content };
}
