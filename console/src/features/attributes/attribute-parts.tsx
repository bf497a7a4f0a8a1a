import { DataList, Group, Stack, Text } from '@mantine/core'
import type { Attribute, User } from '@tenantry/client'
import { labelOf, lineOf, type AttributeValues } from '../../components/attribute-values.ts'
import { DialogButton } from '../../components/dialog-button.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { isolated } from '../../isolate.ts'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useIsWritable, useReadable, useValuesOfTenant, useValuesOfUser } from './attributes.queries.ts'

const ValuesDialog = lazyPart(async () => (await import('./values-dialog.tsx')).ValuesDialog)

export interface ValuesProps {
  attributes: Attribute[]
  values: AttributeValues
  send: (changes: AttributeValues) => Promise<unknown>
}

interface CardsProps extends ValuesProps {
  /** False for a caller who may change none of them. */
  canChange: boolean
}

const useWords = () => {
  const { t } = useTranslation()
  return (value: unknown): string =>
    typeof value === 'boolean' ? t(value ? 'schemaForm.yes' : 'schemaForm.no') : lineOf(value) || '–'
}

/** A card for each group of attributes, and a button that edits those that the caller may write. */
const Cards = ({ canChange, ...form }: CardsProps) => {
  const { t, language } = useTranslation()
  const wordsOf = useWords()
  const writable = form.attributes.filter(useIsWritable())
  return (
    <Stack gap="lg">
      {[...Map.groupBy(form.attributes, ({ group }) => group)].map(([group, members]) => (
        <SectionCard key={group} title={group === '' ? t('places.attributes') : isolated(group)}>
          <DataList>
            {members.map((attribute) => (
              <DataList.Item key={attribute.key}>
                <DataList.ItemLabel className="breakable">{labelOf(attribute, language)}</DataList.ItemLabel>
                <DataList.ItemValue className="breakable">
                  <bdi>{wordsOf(form.values[attribute.key])}</bdi>
                  {attribute.description !== '' && (
                    <Text size="xs" c="dimmed" className="breakable">
                      {attribute.description}
                    </Text>
                  )}
                </DataList.ItemValue>
              </DataList.Item>
            ))}
          </DataList>
        </SectionCard>
      ))}
      {canChange && writable.length > 0 && (
        <Group>
          <DialogButton variant="default" label={t('attributes.edit')}>
            {(onClose) => <ValuesDialog {...form} attributes={writable} onClose={onClose} />}
          </DialogButton>
        </Group>
      )}
    </Stack>
  )
}

interface UserAttributesProps {
  user: Pick<User, 'id'>
  /** False for a user who ranks above the caller. */
  canChange: boolean
}

export const UserAttributes = ({ user: { id }, canChange }: UserAttributesProps) => {
  const { api } = useScope()
  const mayUpdate = useMe().can('user:update')
  const attributes = useReadable('user') ?? []
  return (
    <Loaded query={useValuesOfUser(id)} height={240}>
      {(values) => (
        <Cards
          {...{ attributes, values }}
          canChange={canChange && mayUpdate}
          send={(changes) => api.attributes.patchUser(id, changes)}
        />
      )}
    </Loaded>
  )
}

export const TenantAttributes = ({ id, door }: { id: string; door: 'setting' | 'tenant' }) => {
  const attributes = useReadable('tenant') ?? []
  const canChange = useMe().can(`${door}:update`)
  return (
    <Loaded query={useValuesOfTenant(id)} height={240}>
      {(values) => (
        <Cards
          {...{ attributes, values, canChange }}
          send={(changes) => client.attributes.patchTenant(id, changes)}
        />
      )}
    </Loaded>
  )
}
