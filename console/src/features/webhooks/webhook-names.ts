import type { Webhook } from '@tenantry/client'

/** Host and path distinguish webhooks. The API shows the URL to everybody who may list webhooks. */
export const addressOf = ({ url }: Pick<Webhook, 'url'>): string => {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.host}${parsed.pathname === '/' ? '' : parsed.pathname}` : url
}

export const nameOfWebhook = (webhook: Pick<Webhook, 'description' | 'url'>): string =>
  webhook.description || addressOf(webhook)
