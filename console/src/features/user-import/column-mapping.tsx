import { Select, SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { importFields, type Mapping } from './drafts.ts'

interface ColumnMappingProps {
  header: string[]
  mapping: Mapping
  onChange: (mapping: Mapping) => void
}

const required = new Set<string>(['email', 'username'])

export const ColumnMapping = ({ header, mapping, onChange }: ColumnMappingProps) => {
  const { t } = useTranslation()
  const columns = header.map((name, index) => ({
    value: String(index),
    label: name.trim() || t('userImport.column', { number: index + 1 }),
  }))
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 5 }} spacing="sm">
      {importFields.map((field) => (
        <Select
          key={field}
          label={t(`fields.${field}`)}
          required={required.has(field)}
          placeholder={t('userImport.noColumn')}
          data={columns}
          value={mapping[field] === undefined ? null : String(mapping[field])}
          clearable
          clearButtonProps={{ 'aria-label': t('common.clear') }}
          onChange={(value) => {
            const { [field]: _, ...others } = mapping
            onChange(value === null ? others : { ...others, [field]: Number(value) })
          }}
        />
      ))}
    </SimpleGrid>
  )
}
