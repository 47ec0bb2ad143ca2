import { z } from 'zod';
import { limits } from '../../../events/values/organization-defaults.js';
import { budgets } from '../../../kernel/budgets.js';
import { link, type Integration } from '../integration.js';

const text = z.looseObject({ text: z.string().optional() });
const block = z.looseObject({
  type: z.string().optional(),
  text: z.union([z.string(), text]).optional(),
  fields: z.array(text).optional(),
  elements: z.array(z.looseObject({ text: z.union([z.string(), text]).optional() })).optional(),
});
const attachment = z.looseObject({
  title: z.string().optional(),
  title_link: z.string().optional(),
  pretext: z.string().optional(),
  text: z.string().optional(),
  blocks: z.array(block).optional(),
  fields: z
    .array(
      z.looseObject({ title: z.string().optional(), value: z.union([z.string(), z.number()]).optional() }),
    )
    .optional(),
});
const payload = z.looseObject({
  channel: z.string().optional(),
  text: z.string().optional(),
  icon_emoji: z.string().optional(),
  blocks: z.array(block).optional(),
  attachments: z.array(attachment).optional(),
});

/**
 * How much of each text is converted, in UTF-16 units. More would not fit into a message: a character takes at most two
 * units, or five if it is escaped (`&amp;`).
 */
const MAX_TEXT_LENGTH = 10 * limits.message;

/** Text that is shown as an emoji; anything else is not one. */
const emojiForm = /^:[\w+'-]{1,100}:$/;

/** Requests in the format of Slack's incoming webhooks. */
export const slackIncoming: Integration = {
  displayName: "Slack's incoming webhooks",
  eventHeader: null,
  events: [],
  read({ body }) {
    const sent = payload.parse(body);
    const parts = [
      ...(sent.blocks ?? []).slice(0, budgets.webhookItems.max).map(blockText),
      ...(sent.attachments ?? []).slice(0, budgets.webhookItems.max).map(attachmentText),
    ].filter((part) => part !== '');
    const emoji = emojiForm.test(sent.icon_emoji ?? '') ? sent.icon_emoji : undefined;
    const plain = [emoji, asMarkdown(sent.text ?? '')].filter(Boolean).join(' ');
    const content = parts.length > 0 ? parts.join('\n\n') : plain;
    if (content.trim() === '') return null;
    return { event: null, topic: (sent.channel ?? '').replace(/^[@#]/, ''), content };
  },
};

function blockText({ type, text: own, fields = [], elements = [] }: z.infer<typeof block>): string {
  if (type === 'divider') return '---';
  const main = asMarkdown(textIn(own));
  const title = type === 'header' ? `## ${main}` : main;
  const others = [...fields.map(textIn), ...elements.map((element) => textIn(element.text))];
  return [title, ...others.map(asMarkdown)].filter((line) => line !== '').join('\n');
}

function attachmentText({
  title,
  title_link,
  pretext,
  text: own,
  ...rest
}: z.infer<typeof attachment>): string {
  const heading = title === undefined ? '' : `## ${link(unescaped(title), title_link)}`;
  const fields = (rest.fields ?? []).map(
    (field) => `**${link(unescaped(field.title ?? ''), null)}**: ${asMarkdown(String(field.value ?? ''))}`,
  );
  const blocks = (rest.blocks ?? []).slice(0, budgets.webhookItems.max).map(blockText);
  const lines = [heading, asMarkdown(pretext ?? ''), asMarkdown(own ?? ''), ...blocks, ...fields];
  return lines.filter((line) => line !== '').join('\n');
}

function textIn(value: string | z.infer<typeof text> | undefined): string {
  return typeof value === 'object' ? (value.text ?? '') : (value ?? '');
}

/**
 * Converts Slack's links, bold, italics and strikethrough to Markdown. No expression reads beyond the character that
 * begins its next match, so that each takes time in proportion to the text.
 */
function asMarkdown(slack: string): string {
  const converted = slack
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll(/<(https?:\/\/[^|<>\s]+)\|([^<>]+)>/g, '[$2]($1)')
    .replaceAll(/<(https?:\/\/[^<>\s]+)>/g, '$1')
    .replaceAll(/(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])/g, '\u0001$1\u0001')
    .replaceAll(/(?<![\w_])_(?=\S)([^_\n]+?)(?<=\S)_(?![\w_])/g, '*$1*')
    .replaceAll(/(?<![\w~])~(?=\S)([^~\n]+?)(?<=\S)~(?![\w~])/g, '~~$1~~')
    .replaceAll('\u0001', '**');
  return unescaped(converted);
}

/** Slack escapes three characters, also in texts without markup. */
function unescaped(slack: string): string {
  return slack
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll(/&(lt|gt|amp);/g, (_, name: string) => ({ lt: '<', gt: '>', amp: '&' })[name] ?? '');
}
