import { ActionIcon, Badge, Group, Stack, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { Attribute } from '@tenantry/client'
import { labelOf } from '../../components/attribute-values.ts'
import { Cut } from '../../components/cells.tsx'
import { ClearFilters } from '../../components/clear-filters.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { lazyPopup } from '../../components/lazy-popup.tsx'
import { useNews } from '../../components/list-news.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { pageOf } from '../../components/page-search.ts'
import { PageTabs } from '../../components/page-tabs.tsx'
import { AddressSearch } from '../../components/search-input.tsx'
import type { Column } from '../../components/table-model.ts'
import { useDialogs } from '../../components/use-dialogs.ts'
import { useTranslation } from '../../translation.ts'
import { useAttributes, type Subject } from './attributes.queries.ts'
import { typeOf } from './declaration.ts'

const route = getRouteApi('/shell/attributes')

const loadDialogs = () => import('./declaration-dialogs.tsx')
const DeclareDialog = lazyPart(async () => (await loadDialogs()).DeclareDialog)
const dialogs = {
  edit: DeclareDialog,
  delete: lazyPart(async () => (await loadDialogs()).DeleteAttribute),
}

const EditMenu = lazyPopup('menu', async () => (await import('../../components/edit-menu.tsx')).EditMenu)

type Ask = (kind: keyof typeof dialogs, attribute: Attribute) => void

const Name = ({ attribute }: { attribute: Attribute }) => {
  const { language } = useTranslation()
  const label = labelOf(attribute, language)
  return (
    <Stack gap={0} miw={0}>
      <Text size="sm" fw={500} className="cut" title={label}>
        {label}
      </Text>
      <Text size="xs" c="dimmed" className="cut" title={attribute.key}>
        {attribute.key}
      </Text>
    </Stack>
  )
}

const Marks = ({ attribute: { indexed, sensitive } }: { attribute: Attribute }) => {
  const { t } = useTranslation()
  const marks = [indexed && t('attributeForms.indexedMark'), sensitive && t('attributeForms.sensitive')]
  return (
    <Group gap={4}>
      {marks.map(
        (mark) =>
          mark && (
            <Badge key={mark} variant="default" tt="none" fw={500}>
              {mark}
            </Badge>
          ),
      )}
    </Group>
  )
}

const useUses = (): Column<Attribute>[] => {
  const { t } = useTranslation()
  return [
    { key: 'marks', width: 9, header: t('attributeForms.marks'), cell: (one) => <Marks attribute={one} /> },
    {
      key: 'claim',
      width: 8,
      header: t('attributeForms.claim'),
      cell: ({ claim }) => <Cut text={claim ?? ''} shown={claim ?? '–'} />,
    },
    {
      key: 'scim',
      header: t('attributeForms.scim'),
      isHidden: true,
      cell: ({ scim }) => <Cut text={scim ?? ''} shown={scim ?? '–'} />,
    },
    {
      key: 'group',
      width: 8,
      header: t('attributeForms.group'),
      isHidden: true,
      cell: ({ group }) => <Cut text={group} />,
    },
  ]
}

const useColumns = (subject: Subject): Column<Attribute>[] => {
  const { t } = useTranslation()
  const accessOf = (kind: 'administrators' | 'self'): Column<Attribute> => ({
    key: kind,
    width: 9,
    header: t(`attributeForms.${kind}`),
    cell: (attribute) => t(`attributeAccess.${attribute[kind]}`),
  })
  const uses = useUses()
  return [
    {
      key: 'key',
      header: t('attributeForms.one'),
      isFixed: true,
      cell: (attribute) => <Name attribute={attribute} />,
    },
    {
      key: 'type',
      width: 8,
      header: t('attributeForms.type'),
      cell: ({ schema }) => t(`attributeTypes.${typeOf(schema)}`),
    },
    accessOf('administrators'),
    ...(subject === 'user' ? [accessOf('self')] : []),
    ...uses.filter(({ key }) => subject === 'user' || key !== 'scim'),
  ]
}

const useActionsColumn = (onAsk: Ask): Column<Attribute> => {
  const { t, language } = useTranslation()
  return {
    key: 'actions',
    width: 4.5,
    header: t('table.actions'),
    isActions: true,
    cell: (attribute) => (
      <EditMenu
        edit={t('attributeForms.edit')}
        remove={t('attributeForms.delete')}
        onAsk={(kind) => onAsk(kind, attribute)}
      >
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('table.actionsOf', { name: labelOf(attribute, language) })}
        >
          <IconDots size={18} />
        </ActionIcon>
      </EditMenu>
    ),
  }
}

export const AttributesPage = () => {
  const { t } = useTranslation()
  const { subject = 'user' }: { subject?: Subject } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <>
      <PageHeader
        title={t('places.attributes')}
        description={t('attributeForms.about')}
        actions={
          <DialogButton label={t('attributeForms.declare')}>
            {(onClose) => <DeclareDialog subject={subject} onClose={onClose} />}
          </DialogButton>
        }
      />
      <PageTabs
        tab={subject}
        titles={{ user: t('places.users'), tenant: t('places.tenants') }}
        label={t('attributeForms.subjects')}
        onChange={(tab) => void navigate({ search: tab === 'tenant' ? { subject: tab } : {} })}
      >
        <Declarations key={subject} subject={subject} />
      </PageTabs>
    </>
  )
}

const foundOf = (all: Attribute[], sought: string): Attribute[] =>
  all.filter(({ key, label, group }) =>
    [key, label.en, label.zh, group].some((text) => text?.toLowerCase().includes(sought.toLowerCase())),
  )

const Declarations = ({ subject }: { subject: Subject }) => {
  const { t, language } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const attributes = useAttributes()
  const { open, opened } = useDialogs<keyof typeof dialogs, { attribute: Attribute; subject: Subject }>(
    dialogs,
  )
  const all = attributes.data?.filter((one) => one.subject === subject)
  return (
    <>
      <DataTable
        label={t('places.attributes')}
        name={`${subject}-attributes`}
        columns={[
          ...useColumns(subject),
          useActionsColumn((kind, attribute) => open(kind, { attribute, subject })),
        ]}
        rows={{ ...attributes, data: all && pageOf(foundOf(all, search.search ?? ''), search) }}
        news={useNews(['attribute'], attributes)}
        idOf={({ key }) => key}
        nameOf={(one) => labelOf(one, language)}
        page={search}
        toolbar={<AddressSearch label={t('attributeForms.search')} />}
        empty={
          search.search === undefined
            ? { title: t('attributeForms.none'), description: t('attributeForms.noneText') }
            : {
                title: t('attributeForms.noMatch'),
                action: (
                  <ClearFilters
                    onClick={() => void navigate({ search: (others) => ({ ...others, search: undefined }) })}
                  />
                ),
              }
        }
      />
      {opened}
    </>
  )
}
