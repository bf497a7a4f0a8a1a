import type { ReceivedNotification } from '@tenantry/client'
import { useFormat } from '../../format.ts'

const moments = /\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: UTC|Z)/g

/** The content of a notice. Those of the service have their times in UTC; the reader gets them in the own zone. */
export const useNoticeText = () => {
  const format = useFormat()
  const shown = (found: string): string => {
    const at = found.replace(' UTC', 'Z').replace(' ', 'T')
    return Number.isNaN(Date.parse(at)) ? found : format.moment(at)
  }
  return ({ content, sender }: Pick<ReceivedNotification, 'content' | 'sender'>): string =>
    sender ? content : content.replaceAll(moments, shown)
}
