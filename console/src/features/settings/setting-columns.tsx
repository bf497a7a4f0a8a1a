import { Code } from '@mantine/core'
import type { Setting } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { Ago } from '../../components/ago.tsx'
import type { Column } from '../../components/table-model.ts'
import { TextLink } from '../../components/text-link.tsx'

/** Longer previews do not fit the table. */
const previewMax = 120

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

export const useSettingColumns = (): Column<Setting>[] => {
  const { t } = useTranslation()
  return [
    { key: 'key', header: t('settings.key'), isFixed: true, cell: ({ key }) => <Key name={key} /> },
    {
      key: 'value',
      header: t('settings.any'),
      cell: ({ value }) => (
        <Code className="cut" display="block" bg="none" p={0}>
          {JSON.stringify(value).slice(0, previewMax)}
        </Code>
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
