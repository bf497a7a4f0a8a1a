import { Button, Group, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Attribute } from '@tenantry/client'
import { useState, type SyntheticEvent } from 'react'
import { inputSchemaOf, labelOf, lineOf, type AttributeValues } from '../../components/attribute-values.ts'
import { Dialog } from '../../components/dialog.tsx'
import { SchemaInput } from '../../components/schema-input.tsx'
import { useTranslation } from '../../translation.ts'
import { filterName } from './attributes.queries.ts'

interface FilterDialogProps {
  indexed: Attribute[]
  filters: [key: string, text: string][]
  onClose: () => void
}

const valueOf = ({ schema }: Attribute, text: string): unknown => {
  const { type } = schema as { type: string }
  if (type === 'boolean') return text === 'true'
  return type === 'string' ? text : Number(text)
}

/** The service's limit. */
const filtersMax = 3

const faultless: ReadonlyMap<string, string> = new Map()

/** Sets the filters of a list, of which the service takes three. */
export const FilterDialog = ({ indexed, filters, onClose }: FilterDialogProps) => {
  const { t, language } = useTranslation()
  const navigate = useNavigate()
  const [values, setValues] = useState<AttributeValues>(() =>
    Object.fromEntries(
      filters.flatMap(([key, text]) => {
        const attribute = indexed.find((one) => one.key === key)
        return attribute ? [[key, valueOf(attribute, text)]] : []
      }),
    ),
  )
  const filled = indexed.filter(({ key }) => lineOf(values[key]) !== '')
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    const wanted = Object.fromEntries(
      indexed.map(({ key }) => [filterName(key), lineOf(values[key]) || undefined]),
    )
    void navigate({ to: '.', search: (others) => ({ ...others, page: undefined, ...wanted }) })
    onClose()
  }
  return (
    <Dialog opened onClose={onClose} title={t('attributes.filter')}>
      <form noValidate onSubmit={submit}>
        <Stack>
          <Text size="sm" c="dimmed">
            {t('attributes.filterHint')}
          </Text>
          {indexed.map((attribute) => (
            <SchemaInput
              key={attribute.key}
              schema={inputSchemaOf({ ...attribute, description: '' })}
              label={labelOf(attribute, language)}
              path={attribute.key}
              value={values[attribute.key]}
              onChange={(value) => setValues({ ...values, [attribute.key]: value })}
              errors={faultless}
              isReadOnly={filled.length >= filtersMax && !filled.includes(attribute)}
            />
          ))}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit">{t('attributes.apply')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
