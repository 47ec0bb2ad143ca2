import { z } from 'zod';
import { budgets } from '../../../kernel/budgets.js';
import { link, type Integration } from '../integration.js';

const texts = z.record(z.string(), z.string());
const alert = z.looseObject({
  status: z.string(),
  labels: texts.default({}),
  annotations: texts.default({}),
  dashboardURL: z.string().optional(),
  panelURL: z.string().optional(),
  generatorURL: z.string().optional(),
  valueString: z.string().nullish(),
});
const payload = z.looseObject({
  title: z.string().optional(),
  message: z.string().optional(),
  alerts: z.array(alert).optional(),
  ruleName: z.string().optional(),
  ruleUrl: z.string().optional(),
  state: z.string().optional(),
});

/** Alerts of Grafana, in its unified form and in the older one. */
export const grafana: Integration = {
  displayName: 'Grafana',
  eventHeader: null,
  events: [],
  read({ body }) {
    const { alerts, title = 'Grafana', message, ruleName, ruleUrl, state } = payload.parse(body);
    if (alerts === undefined) {
      const opening = `**${link(state ?? 'changed', null)}**: ${link(ruleName ?? title, ruleUrl)}`;
      const said = message === undefined || message === '' ? '' : `\n\n${link(message, null)}`;
      return { event: null, topic: ruleName ?? title, content: opening + said };
    }
    if (alerts.length === 0) return null;
    const shown = alerts.slice(0, budgets.webhookItems.max).map(lineOf);
    if (shown.length < alerts.length) shown.push(`* and ${alerts.length - shown.length} more`);
    return { event: null, topic: alerts[0]?.labels['alertname'] ?? title, content: shown.join('\n') };
  },
};

function lineOf({ status, labels, annotations, valueString, ...at }: z.infer<typeof alert>): string {
  const mark = status === 'firing' ? ':alert: **Firing**' : ':squared_ok: **Resolved**';
  const address = at.panelURL ?? at.dashboardURL ?? at.generatorURL;
  const said = annotations['summary'] ?? annotations['description'] ?? valueString ?? '';
  return `* ${mark} ${link(labels['alertname'] ?? 'alert', address)}${said === '' ? '' : `: ${link(said, null)}`}`;
}
