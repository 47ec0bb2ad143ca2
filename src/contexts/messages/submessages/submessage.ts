import { z } from 'zod';
import type { MessageSent } from '../../../events/messages.js';
import type { SubmessageAttached } from '../../../events/submessages.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { isLongerThan } from '../../../kernel/text.js';

/** A widget that a text begins. */
type WrittenWidget =
  | {
      readonly widget_type: 'poll';
      readonly extra_data: { readonly question: string; readonly options: readonly string[] };
    }
  | {
      readonly widget_type: 'todo';
      readonly extra_data: {
        readonly task_list_title: string;
        readonly tasks: readonly { readonly task: string; readonly desc: string }[];
      };
    };

/**
 * Buttons that a bot offers: pressing one sends its `reply`. Other members are passed on to clients
 * unchecked.
 */
const formSchema = z.looseObject({
  widget_type: z.literal('zform'),
  extra_data: z.looseObject({
    type: z.literal('choices'),
    heading: z.string(),
    choices: z.array(z.looseObject({ short_name: z.string(), long_name: z.string(), reply: z.string() })),
  }),
});

/** The kind of a message that clients show as a widget. */
export type WidgetType = WrittenWidget['widget_type'] | z.infer<typeof formSchema>['widget_type'];

/** What makes a message a widget. */
interface WidgetSources {
  readonly content: string;
  /** The form that came with it, as JSON text. */
  readonly form?: string | undefined;
}

/** Maximum length of a form that comes with a message, in code points. */
export const MAX_FORM_LENGTH = 10_000;

const formBounds = {
  name: 'widget_content',
  maxLength: MAX_FORM_LENGTH,
  otherwise: 'malformedWidget',
} as const;

/**
 * The kind of widget that a message is, by the form that came with it or by the beginning of its text; null
 * for a plain message.
 */
export function widgetTypeIn({ content, form }: WidgetSources): WidgetType | null {
  return form === undefined ? (widgetOf(content)?.widget_type ?? null) : 'zform';
}

/** The widget of a message as JSON text; null for a plain message. */
function widgetTextIn({ content, form }: WidgetSources): string | null {
  if (form !== undefined) return form;
  const widget = widgetOf(content);
  return widget && JSON.stringify(widget);
}

/**
 * Parses the parameter `widget_content` of `POST /messages`.
 *
 * @returns the whole value, unknown members included
 * @throws ApplicationError for anything but a form
 */
export function parseForm(text: string): string {
  const { success, error } = formSchema.safeParse(boundedJson(text, formBounds));
  if (success) return text;
  const [issue] = error.issues;
  const place = ['widget_content', ...(issue?.path ?? [])].join('.');
  throw failure('invalidWidget', { reason: { place, fault: issue?.message ?? 'not valid' } });
}

/** The widget that a text begins by its first word: `/poll` or `/todo`; null for any other text. */
export function widgetOf(content: string): WrittenWidget | null {
  const [, type, rest = ''] = /^\/(poll|todo)(?=\s|$)(.*)$/s.exec(content) ?? [];
  if (type === undefined) return null;
  const [title = '', ...lines] = rest.split(/\r\n|\r|\n/);
  const items = lines.map(withoutBullet).filter((item) => item !== '');
  return type === 'poll'
    ? { widget_type: 'poll', extra_data: { question: title.trim(), options: items } }
    : { widget_type: 'todo', extra_data: { task_list_title: title.trim(), tasks: items.map(taskOf) } };
}

function withoutBullet(line: string): string {
  return line.trim().replace(/^[-*]?\s*/, '');
}

function taskOf(item: string): { readonly task: string; readonly desc: string } {
  const end = item.indexOf(': ');
  return end < 0
    ? { task: item, desc: '' }
    : { task: item.slice(0, end).trim(), desc: item.slice(end + 2).trim() };
}

const index = z.number().int().min(0).max(1000);

/** The actions of each kind of widget; a form has none, because answering it sends a message. */
const actions = {
  poll: z.discriminatedUnion('type', [
    z.object({ type: z.literal('vote'), key: z.string(), vote: z.union([z.literal(1), z.literal(-1)]) }),
    z.object({ type: z.literal('new_option'), idx: index, option: z.string() }),
    z.object({ type: z.literal('question'), question: z.string() }),
  ]),
  todo: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('new_task'),
      key: index,
      task: z.string(),
      desc: z.string(),
      completed: z.boolean(),
    }),
    z.object({ type: z.literal('strike'), key: z.string() }),
    z.object({ type: z.literal('new_task_list_title'), title: z.string() }),
  ]),
} as const;

/** Actions that only the author of the widget may take. */
const forItsAuthor: ReadonlySet<string> = new Set(['question', 'new_task_list_title']);

/** Why somebody may not take this action in a widget; null when they may. */
export function actionFault(
  type: WidgetType,
  action: unknown,
  { isAuthor }: { readonly isAuthor: boolean },
): string | null {
  if (type === 'zform') return null;
  const { success, data, error } = actions[type].safeParse(action);
  if (!success) return `Invalid ${type} data: ${error.issues[0]?.message ?? 'not valid'}`;
  if (forItsAuthor.has(data.type) && !isAuthor) return `Only the author may change the title of a ${type}.`;
  return null;
}

/** The limits on a parameter that contains JSON. */
interface JsonBounds {
  /** The parameter's name. */
  readonly name: string;
  /** Maximum length in code points. */
  readonly maxLength: number;
  /** The error for a text that is not JSON. */
  readonly otherwise: 'invalidSubmessage' | 'malformedWidget';
}

/**
 * Parses a parameter that contains JSON.
 *
 * @throws ApplicationError when it is too long, or not JSON
 */
export function boundedJson(text: string, { name, maxLength, otherwise }: JsonBounds): unknown {
  if (isLongerThan(text, maxLength)) {
    throw failure('textTooLong', { reason: { name, limit: maxLength } });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw failure(otherwise);
  }
}

/** What is attached to a message: see {@link SubmessageAttached}. */
export type Submessage = Omit<EventOf<typeof SubmessageAttached>['data'], 'messageId'>;

/** Maximum length of a submessage, in code points. */
export const MAX_SUBMESSAGE_LENGTH = 1_000;

/**
 * The submessage that a widget message has from the start: it describes the widget to clients that know its
 * kind.
 */
export function firstSubmessages(sent: EventOf<typeof MessageSent>['data']): readonly Submessage[] {
  const content = widgetTextIn(sent);
  return content === null ? [] : [{ submessageId: 1, userId: sent.senderId, kind: 'widget', content }];
}
