import { z } from 'zod';
import { budgets } from '../../../kernel/budgets.js';
import { fenced, firstLine, link, type Integration } from '../integration.js';

const commit = z.looseObject({ id: z.string(), message: z.string(), url: z.string() });
const subject = z.looseObject({
  iid: z.number().optional(),
  title: z.string().optional(),
  url: z.string().optional(),
  action: z.string().optional(),
  description: z.string().nullish(),
  note: z.string().optional(),
  status: z.string().optional(),
  id: z.number().optional(),
});
const payload = z.looseObject({
  user_name: z.string().optional(),
  user: z.looseObject({ name: z.string() }).optional(),
  project: z.looseObject({ name: z.string(), web_url: z.string() }),
  ref: z.string().optional(),
  commits: z.array(commit).optional(),
  total_commits_count: z.number().optional(),
  object_attributes: subject.optional(),
});
type Payload = z.infer<typeof payload>;

const kinds: Readonly<Record<string, string>> = {
  'Push Hook': 'push',
  'Tag Push Hook': 'tag_push',
  'Issue Hook': 'issue',
  'Merge Request Hook': 'merge_request',
  'Note Hook': 'note',
  'Pipeline Hook': 'pipeline',
};

/** What happens in projects on GitLab. */
export const gitlab: Integration = {
  displayName: 'GitLab',
  eventHeader: 'x-gitlab-event',
  events: Object.values(kinds),
  read({ body, event: header }) {
    const event = Object.hasOwn(kinds, header ?? '') ? (kinds[header ?? ''] ?? null) : null;
    if (event === null) return null;
    const message = textOf(event, payload.parse(body));
    return message === null ? null : { event, ...message };
  },
};

function textOf(event: string, sent: Payload): { readonly topic: string; readonly content: string } | null {
  const { project, object_attributes: about } = sent;
  const who = link(sent.user_name ?? sent.user?.name ?? 'Somebody', null);
  const branch = (sent.ref ?? '').replace(/^refs\/(heads|tags)\//, '');
  if (event === 'push') return { topic: `${project.name} / ${branch}`, content: pushed(who, branch, sent) };
  if (event === 'tag_push')
    return { topic: project.name, content: `${who} pushed the tag ${link(branch, null)}.` };
  if (about === undefined) return null;
  if (event === 'pipeline') {
    const name = `pipeline ${about.id ?? ''}`.trim();
    return {
      topic: project.name,
      content: `The ${link(name, about.url)} is ${link(about.status ?? 'changed', null)}.`,
    };
  }
  if (event === 'note') {
    const content = `${who} ${link('commented', about.url)}:\n\n${fenced('quote', about.note ?? '')}`;
    return { topic: project.name, content };
  }
  const kind = event === 'issue' ? 'issue' : 'MR';
  const mark = event === 'issue' ? '#' : '!';
  const name = `${kind} ${mark}${about.iid ?? ''} ${about.title ?? ''}`.trim();
  const opening = `${who} ${pastOf(about.action)} ${link(name, about.url)}`;
  const says = about.action === 'open' && (about.description ?? '') !== '';
  const content = says ? `${opening}:\n\n${fenced('quote', about.description ?? '')}` : `${opening}.`;
  return { topic: `${project.name} / ${name}`, content };
}

function pushed(who: string, branch: string, { commits = [], total_commits_count: total }: Payload): string {
  const count = total ?? commits.length;
  const shown = commits.slice(0, budgets.webhookItems.max);
  const lines = shown.map(
    ({ id, message, url }) => `* ${link(firstLine(message), url)} (${link(id.slice(0, 8), null)})`,
  );
  if (count > shown.length) lines.push(`* and ${count - shown.length} more`);
  const opening = `${who} pushed ${count} ${count === 1 ? 'commit' : 'commits'} to ${link(branch, null)}.`;
  return lines.length === 0 ? opening : [opening, '', ...lines].join('\n');
}

const pasts: Readonly<Record<string, string>> = {
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  update: 'updated',
  merge: 'merged',
  approved: 'approved',
};

function pastOf(action = ''): string {
  return Object.hasOwn(pasts, action) ? (pasts[action] ?? 'changed') : 'changed';
}
