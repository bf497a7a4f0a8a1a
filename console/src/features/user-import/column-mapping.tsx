import { Select, SimpleGrid } from '@mantine/core'
import { useTranslation } from '../../translation.ts'
import { fieldsOf, isRequired, type Reading } from './drafts.ts'

interface ColumnMappingProps {
  header: string[]
  reading: Reading
  onChange: (reading: Reading) => void
}

export const ColumnMapping = ({ header, reading, onChange }: ColumnMappingProps) => {
  const { t } = useTranslation()
  const { mapping, kind } = reading
  const columns = header.map((name, index) => ({
    value: String(index),
    label: name.trim() || t('userImport.column', { number: index + 1 }),
  }))
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 6 }} spacing="sm">
      {fieldsOf(kind).map((field) => (
        <Select
          key={field}
          label={t(`fields.${field}`)}
          required={isRequired(field, kind)}
          placeholder={t('userImport.noColumn')}
          data={columns}
          value={mapping[field] === undefined ? null : String(mapping[field])}
          clearable
          clearButtonProps={{ 'aria-label': t('common.clear') }}
          onChange={(value) => {
            const { [field]: _, ...others } = mapping
            const changed = value === null ? others : { ...others, [field]: Number(value) }
            onChange({ ...reading, mapping: changed })
          }}
        />
      ))}
    </SimpleGrid>
  )
}
