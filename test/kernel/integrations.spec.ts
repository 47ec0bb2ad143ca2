import { describe, expect, it } from '@jest/globals';
import { limits } from '../../src/events/values/organization-defaults.js';
import { budgets } from '../../src/kernel/budgets.js';
import type { IncomingText } from '../../src/contexts/integrations/integration.js';
import { integrations, isChosen } from '../../src/contexts/integrations/integrations.js';
import { renderMarkdown } from '../../src/markdown/render.js';
import { cpuMilliseconds } from '../support/cpu-time.js';

function read(name: string, body: unknown, event: string | null = null): IncomingText | null {
  return integrations[name]!.read({ body, text: JSON.stringify(body), event });
}

const repository = { name: 'loom', full_name: 'ada/loom', html_url: 'https://github.com/ada/loom' };
const sender = { login: 'ada' };
const issue = {
  number: 7,
  title: 'It [jams]',
  html_url: 'https://github.com/ada/loom/issues/7',
  body: '```\nx',
};
const commit = (id: number) => ({
  id: `${id}`.repeat(40).slice(0, 40),
  message: `fix ${id}\nmore`,
  url: `https://e.com/${id}`,
});

describe('JSON', () => {
  it('is shown as it is, in a fence that nothing in it closes', () => {
    expect(read('json', { a: '```' })).toEqual({
      event: null,
      topic: 'JSON',
      content: '````json\n{\n  "a": "```"\n}\n````',
    });
  });

  it('that is deeply nested is shown without indentation', () => {
    const text = `${'['.repeat(3_000)}${']'.repeat(3_000)}`;
    const { content } = integrations['json']!.read({ body: JSON.parse(text), text, event: null })!;
    expect(content).toBe(`\`\`\`json\n${text}\n\`\`\``);
  });
});

describe('what was written for Slack', () => {
  it.each([
    [
      { text: '*bold* _it_ ~gone~ <https://e.com|here> <https://e.com/x> &lt;b&gt;' },
      '',
      '**bold** *it* ~~gone~~ [here](https://e.com) https://e.com/x <b>',
    ],
    [{ text: 'up', icon_emoji: ':tada:', channel: '#ops' }, 'ops', ':tada: up'],
    [
      {
        channel: '@ada',
        blocks: [
          { type: 'header', text: { text: 'Hi' } },
          { type: 'section', text: { text: '*b*' } },
        ],
      },
      'ada',
      '## Hi\n\n**b**',
    ],
    [
      {
        text: 'not shown',
        attachments: [
          { title: 'T', title_link: 'https://e.com', text: 'x', fields: [{ title: 'F', value: 3 }] },
        ],
      },
      '',
      '## [T](https://e.com)\nx\n**F**: 3',
    ],
  ])('%j is put into our words', (body, topic, content) => {
    expect(read('slack_incoming', body)).toEqual({ event: null, topic, content });
  });

  it('says nothing where there is nothing', () => {
    expect(read('slack_incoming', { channel: '#x' })).toBeNull();
  });

  it.each(['<http://', '<http://a|', ' *a', ' _a', ' ~a', '&lt;'])(
    'takes time in proportion to its length when %j is repeated',
    (part) => {
      const text = part.repeat(1_000_000 / part.length);
      const bodies = [
        { text },
        { blocks: [{ text, fields: [{ text }], elements: [{ text }] }] },
        { attachments: [{ title: text, pretext: text, text, fields: [{ title: text, value: text }] }] },
      ];
      for (const body of bodies) {
        // Reading from each beginning to the end of the text would take minutes.
        expect(cpuMilliseconds(() => read('slack_incoming', body))).toBeLessThan(1500);
      }
    },
  );

  it('is read as far as it could fit into a message', () => {
    const content = read('slack_incoming', { text: '&amp;'.repeat(200_000) })?.content;
    expect(content).toBe('&'.repeat(2 * limits.message));
  });

  it('has titles that are no Markdown', () => {
    const title = 'x](https://e.com) @**all** &amp; &lt;y&gt;';
    const attachments = [{ title, title_link: 'https://e.com', fields: [{ title: '@**all**', value: 1 }] }];
    const [heading, field] = read('slack_incoming', { attachments })!.content.split('\n');
    const shown = 'x&#93;(https://e&#46;com) &#64;&#42;&#42;all&#42;&#42; &#38; &#60;y&#62;';
    expect(heading?.replaceAll('&#58;', ':')).toBe(`## [${shown}](https://e.com)`);
    expect(field).toBe('**&#64;&#42;&#42;all&#42;&#42;**: 1');
  });

  it('begins with an emoji only if that is one', () => {
    expect(read('slack_incoming', { text: 'up', icon_emoji: '@**all**' })?.content).toBe('up');
  });
});

describe('GitHub', () => {
  it('tells of commits, of so many one by one', () => {
    const count = budgets.webhookItems.max + 2;
    const commits = Array.from({ length: count }, (_, index) => commit(index + 1));
    const text = read(
      'github',
      { repository, sender, ref: 'refs/heads/main', compare: 'https://e.com/c', commits },
      'push',
    );
    expect(text?.topic).toBe('loom / main');
    expect(text?.content.split('\n')[0]).toBe(`ada [pushed](https://e.com/c) ${count} commits to main.`);
    expect(text?.content).toContain('* [fix 1](https://e.com/1) (1111111)');
    expect(text?.content.split('\n').at(-1)).toBe('* and 2 more');
  });

  it.each([
    [
      'issues',
      { action: 'opened', issue },
      'opened [issue &#35;7 It &#91;jams&#93;](https://github.com/ada/loom/issues/7):\n\n````quote\n```\nx\n````',
    ],
    ['issues', { action: 'closed', issue }, 'closed [issue'],
    ['pull_request', { action: 'closed', pull_request: { ...issue, merged: true } }, 'ada merged [PR'],
    [
      'issue_comment',
      { action: 'created', issue, comment: { html_url: 'https://e.com/c', body: 'yes' } },
      'ada [commented](https://e.com/c) on',
    ],
    [
      'release',
      { action: 'published', release: { html_url: 'https://e.com/r', tag_name: 'v1' } },
      'ada released [v1](https://e.com/r).',
    ],
    ['ping', { zen: 'z' }, "GitHub's webhook of"],
  ])('tells of %s', (event, body, part) => {
    const text = read('github', { repository, sender, ...body }, event);
    expect(text).toMatchObject({ event, content: expect.stringContaining(part) });
  });

  it('says nothing of what nobody needs to know, and refuses what is none', () => {
    expect(read('github', { repository, sender }, 'star')).toBeNull();
    expect(() => read('github', { hello: 1 }, 'push')).toThrow();
  });
});

describe('GitLab', () => {
  const project = { name: 'loom', web_url: 'https://gitlab.com/ada/loom' };
  it.each([
    [
      'Push Hook',
      { user_name: 'Ada', ref: 'refs/heads/main', commits: [commit(1)], total_commits_count: 30 },
      'push',
      'Ada pushed 30 commits to main.\n\n* [fix 1](https://e.com/1) (11111111)\n* and 29 more',
    ],
    ['Tag Push Hook', { user_name: 'Ada', ref: 'refs/tags/v1' }, 'tag_push', 'Ada pushed the tag v1.'],
    [
      'Issue Hook',
      {
        user: { name: 'Ada' },
        object_attributes: { iid: 3, title: 'Jam', url: 'https://e.com/3', action: 'close' },
      },
      'issue',
      'Ada closed [issue &#35;3 Jam](https://e.com/3).',
    ],
    [
      'Merge Request Hook',
      {
        user: { name: 'Ada' },
        object_attributes: { iid: 3, title: 'Fix', url: 'https://e.com/3', action: 'merge' },
      },
      'merge_request',
      'Ada merged [MR &#33;3 Fix](https://e.com/3).',
    ],
    [
      'Note Hook',
      { user: { name: 'Ada' }, object_attributes: { url: 'https://e.com/n', note: 'yes' } },
      'note',
      'Ada [commented](https://e.com/n):\n\n```quote\nyes\n```',
    ],
    [
      'Pipeline Hook',
      { object_attributes: { id: 9, status: 'failed', url: 'https://e.com/9' } },
      'pipeline',
      'The [pipeline 9](https://e.com/9) is failed.',
    ],
  ])('tells of a %s', (...[header, body, event, content]) => {
    expect(read('gitlab', { project, ...body }, header)).toMatchObject({ event, content });
  });

  it('says nothing of other events', () => {
    expect(read('gitlab', { project }, 'Wiki Page Hook')).toBeNull();
    expect(read('gitlab', { project }, 'toString')).toBeNull();
  });
});

describe('names that other programs send', () => {
  const name = '@**all**';
  const project = { name: 'loom', web_url: 'https://gitlab.com/ada/loom' };
  const commits = [{ ...commit(1), id: name, message: name }];
  const about = { iid: 3, title: name, action: 'open', description: name, note: name };
  const hooks = ['Push', 'Tag Push', 'Issue', 'Merge Request', 'Note'].map((kind) => `${kind} Hook`);

  it.each([
    ...hooks.flatMap((hook) => [
      [hook, 'gitlab', { project, user_name: name, ref: name, commits, object_attributes: about }] as const,
      [hook, 'gitlab', { project, user: { name }, ref: name, commits, object_attributes: about }] as const,
    ]),
    ...['push', 'issues', 'issue_comment', 'pull_request', 'release'].map((event) => {
      const subject = { ...issue, title: name, body: name };
      const release = { html_url: 'https://e.com', tag_name: name };
      const comment = { html_url: 'https://e.com', body: name };
      const body = { action: event === 'release' ? 'published' : name, issue: subject, release, comment };
      return [
        event,
        'github',
        { repository, sender: { login: name }, ref: name, commits, pull_request: subject, ...body },
      ] as const;
    }),
    [null, 'alertmanager', { alerts: [{ status: name, labels: { alertname: name, instance: name } }] }],
    [null, 'grafana', { title: name, ruleName: name, state: name, message: name }],
    [null, 'json', { name }],
  ])('mention nobody in a %s of %s', (event, integration, body) => {
    const { content } = read(integration, body, event)!;
    // A quotation mentions silently.
    expect(renderMarkdown(content, {}).html).not.toMatch(/class="user-mention(?![^"]* silent")/);
  });
});

describe('alerts', () => {
  const alerts = [
    {
      status: 'firing',
      labels: { alertname: 'Down', instance: 'a1' },
      annotations: { summary: 'It is *down*' },
      generatorURL: 'https://e.com/g',
    },
    { status: 'resolved', labels: { alertname: 'Down' }, annotations: {} },
  ];

  it('of Alertmanager and Grafana are sent one by one', () => {
    const content =
      '* :alert: **Firing** [Down](https://e.com/g) on a1: It is &#42;down&#42;\n* :squared_ok: **Resolved** Down';
    expect(read('alertmanager', { alerts })).toEqual({ event: null, topic: 'Down', content });
    expect(read('grafana', { alerts })?.content).toBe(content.replace(' on a1', ''));
  });

  it('of older versions of Grafana are sent as well', () => {
    const body = { ruleName: 'CPU', ruleUrl: 'https://e.com/r', state: 'alerting', message: 'hot' };
    expect(read('grafana', body)).toEqual({
      event: null,
      topic: 'CPU',
      content: '**alerting**: [CPU](https://e.com/r)\n\nhot',
    });
  });

  it('are cut where there are many', () => {
    const many = Array.from({ length: budgets.webhookItems.max + 5 }, () => alerts[0]);
    for (const name of ['alertmanager', 'grafana']) {
      expect(read(name, { alerts: many })?.content.split('\n').at(-1)).toBe('* and 5 more');
      expect(read(name, { alerts: [] })).toBeNull();
    }
  });
});

describe('the choice of events', () => {
  it.each([
    ['push', null, [], true],
    ['push', ['issue*'], [], false],
    ['issue_comment', ['issue*'], [], true],
    ['issue_comment', ['*_c*t'], [], true],
    ['issue_comment', ['issue'], [], false],
    ['push', null, ['p*h'], false],
    ['aa', ['a*aa'], [], false],
    [null, ['push'], [], true],
    ['a'.repeat(50), [`${'*a'.repeat(40)}b`], [], false],
  ])('lets %s through %j without %j: %s', (...[event, only, except, expected]) => {
    expect(isChosen(event, { only, except })).toBe(expected);
  });
});
