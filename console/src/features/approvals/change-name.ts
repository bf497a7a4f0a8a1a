import type { Approval } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { useAuditTexts } from '../audit/audit.texts.ts'
import { sentenceOf } from '../audit/record-lines.views.tsx'
import { useOperationNames } from './approval-parts.tsx'
import type { Status } from './approvals.search.ts'
import { presentOf } from './tense.ts'

export type ChangedRecord = Approval['change']['records'][number]

/** The sentence of the audit log about a record: in the past only once the change is made. */
export const useRecordText = (): ((record: ChangedRecord, status: Status) => string) => {
  const { language } = useTranslation()
  const { ofRecord } = useAuditTexts()
  return (record, status) => {
    const [resource = ''] = record.action.split('.')
    const parts = ofRecord({ ...record, resource })
    if (status === 'done') return sentenceOf(parts)
    return sentenceOf(
      parts.map(({ text, isName }) => ({ isName, text: isName ? text : presentOf(text, language) })),
    )
  }
}

/** The change, by its record if it has only one. */
export const useChangeName = (): ((approval: Approval) => string) => {
  const namesOf = useOperationNames()
  const textOf = useRecordText()
  return ({ operations, change: { records }, status }) => {
    const [record, ...others] = records
    return record && others.length === 0 ? textOf(record, status) : namesOf(operations)
  }
}
