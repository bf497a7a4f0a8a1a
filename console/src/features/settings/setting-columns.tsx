import { Code, Text } from '@mantine/core'
import type { Setting } from '@tenantry/client'
import { isolated } from '../../isolate.ts'
import { useTranslation } from '../../translation.ts'
import { Ago } from '../../components/ago.tsx'
import type { Column } from '../../components/table-model.ts'
import { TextLink } from '../../components/text-link.tsx'
import type { SettingScope } from './known-settings.ts'
import { useSettings } from './settings.queries.ts'

/** Longer previews do not fit the table. */
const previewMax = 120

const previewOf = (value: unknown): string => isolated(JSON.stringify(value).slice(0, previewMax))

const Value = ({ value }: { value: unknown }) => (
  <Code className="cut" display="block" bg="none" p={0}>
    {previewOf(value)}
  </Code>
)

const Key = ({ name }: { name: string }) => {
  const { t } = useTranslation()
  return (
    <TextLink
      to="/settings"
      search={(others) => ({ ...others, key: name })}
      resetScroll={false}
      className="row-link cut"
      display="block"
      size="sm"
      fw={500}
      title={name}
      aria-label={t('settings.open', { key: name })}
    >
      {name}
    </TextLink>
  )
}

export const useSettingColumns = (scope: SettingScope): Column<Setting>[] => {
  const { t } = useTranslation()
  const { data: shared = [] } = useSettings('global')
  const globalOf = new Map(scope === 'tenant' ? shared.map((one) => [one.key, one.value] as const) : [])
  return [
    { key: 'key', header: t('settings.key'), isFixed: true, cell: ({ key }) => <Key name={key} /> },
    {
      key: 'value',
      header: t('settings.any'),
      cell: ({ key, value }) => (
        <>
          <Value value={value} />
          {globalOf.has(key) && (
            <Text size="xs" c="dimmed" className="cut">
              {t('settings.globalValue')} {previewOf(globalOf.get(key))}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'updated',
      width: 9,
      header: t('settings.updated'),
      cell: ({ updated_at }) => <Ago at={updated_at} />,
    },
  ]
}
