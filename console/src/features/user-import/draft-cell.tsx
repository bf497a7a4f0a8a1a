import { Text, TextInput } from '@mantine/core'
import { useTranslation } from '../../translation.ts'
import type { Draft, Edits, ImportField, Mapping } from './drafts.ts'

/** The editable cells: those with a fault, and those edited before. */
export interface Repair {
  mapping: Mapping
  edits: Edits
  onEdit: (line: number, column: number, text: string) => void
}

interface DraftCellProps {
  draft: Draft
  field: ImportField
  /** Shown unless the cell is editable. */
  text: string
  /** Absent once rows are sent. */
  repair: Repair | undefined
}

/** E-mails are shown in full, because users compare them. */
const Shown = ({ field, text }: Pick<DraftCellProps, 'field' | 'text'>) => (
  <Text size="sm" className={field === 'email' ? 'breakable' : 'cut'} title={text}>
    {text}
  </Text>
)

/** A cell of the file. A cell with a fault becomes a text field. */
export const DraftCell = ({ draft: { id, cells, problems }, field, text, repair }: DraftCellProps) => {
  const { t } = useTranslation()
  const column = repair?.mapping[field]
  const isFaulty = problems.some((problem) => problem.field === field)
  const isOpen = column !== undefined && (isFaulty || repair?.edits.get(id)?.[column] !== undefined)
  if (!isOpen) {
    return <Shown {...{ field, text }} />
  }
  return (
    <TextInput
      size="xs"
      aria-label={t('userImport.cellOf', { field: t(`fields.${field}`), line: id })}
      error={isFaulty}
      value={cells[column] ?? ''}
      onChange={({ currentTarget }) => repair?.onEdit(id, column, currentTarget.value)}
    />
  )
}
