import { Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Resource } from '@tenantry/client'
import { useFieldChecks } from '../../components/field-checks.ts'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { ManyChoice } from '../../components/many-choice.tsx'
import { usePermissions } from '../roles/roles.queries.ts'
import { isOfProduct } from '../roles/roles.texts.ts'
import { useIssuer } from './applications.queries.ts'
import { CodeBlock } from './snippet.tsx'
import { guardCode } from './snippets.ts'
import { ConfirmChange } from '../../components/confirm-change.tsx'
import { NameInput } from '../../components/named-form.tsx'
import { useRenew } from '../../components/use-renew.ts'

interface ResourceDialogProps {
  /** The resource to edit; absent for a new resource. */
  resource?: Resource
  onClose: () => void
}

const none = { name: '', identifier: '', permission_ids: [] as number[], allow_unregistered: false }

const valuesOf = ({
  name,
  identifier,
  permission_ids: ids,
  allow_unregistered,
}: Pick<Resource, keyof typeof none>) => ({
  name,
  identifier,
  permission_ids: ids.map(String),
  allow_unregistered,
})

/** True for an absolute URI without fragment, which can be an identifier. The service has further rules. */
const isIdentifier = (text: string): boolean => URL.canParse(text.trim()) && !text.includes('#')

const useResourceForm = ({ resource, onClose }: ResourceDialogProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const check = useFieldChecks()
  const renew = useRenew()
  const form = useForm({
    initialValues: valuesOf(resource ?? none),
    validate: {
      name: check('roleName'),
      identifier: (text) => (isIdentifier(text) ? null : t('applications.identifierWrong')),
      permission_ids: ({ length }) => (length === 0 ? t('applications.permissionsMissing') : null),
    },
  })
  const sending = useSubmit(form, async ({ permission_ids: ids, ...values }) => {
    const body = { ...values, permission_ids: ids.map(Number) }
    await (resource ? client.resources.update(resource.id, body) : client.resources.create(body))
    onClose()
    notify(t(resource ? 'applications.saved' : 'applications.resourceCreated'))
    await renew()
  })
  return { form, sending }
}

export const ResourceDialog = (props: ResourceDialogProps) => {
  const { t } = useTranslation()
  const { resource, onClose } = props
  const { form, sending } = useResourceForm(props)
  return (
    <FieldsDialog
      {...{ form, sending, onClose }}
      title={
        resource ? t('applications.editResource', { name: resource.name }) : t('applications.createResource')
      }
      submit={t(resource ? 'common.save' : 'applications.createResource')}
      isReady={!resource || form.isDirty()}
    >
      <Fields form={form} />
    </FieldsDialog>
  )
}

const Fields = ({ form }: Pick<ReturnType<typeof useResourceForm>, 'form'>) => {
  const { t } = useTranslation()
  const { data: issuer = location.origin } = useIssuer()
  const { data: permissions = [] } = usePermissions()
  const { identifier } = form.values
  return (
    <>
      <NameInput {...form.getInputProps('name')} />
      <TextInput
        label={t('applications.identifier')}
        description={t('applications.identifierHint')}
        placeholder="https://mcp.example.com/mcp"
        required
        inputMode="url"
        spellCheck={false}
        {...form.getInputProps('identifier')}
      />
      <ManyChoice
        label={t('applications.permissions')}
        description={t('applications.permissionsHint')}
        data={permissions.filter(isOfProduct).map(({ id, code, name }) => ({
          value: String(id),
          label: `${name} (${code})`,
        }))}
        searchable
        required
        {...form.getInputProps('permission_ids')}
      />
      <Switch
        label={t('applications.allowUnregistered')}
        description={t('applications.allowUnregisteredHint')}
        {...form.getInputProps('allow_unregistered', { type: 'checkbox' })}
      />
      {isIdentifier(identifier) && (
        <CodeBlock label={t('applications.code')} text={guardCode(issuer, identifier.trim())} />
      )}
    </>
  )
}

export const DeleteResource = ({ resource, onClose }: { resource: Resource; onClose: () => void }) => {
  const { t } = useTranslation()
  const { id, name } = resource
  return (
    <ConfirmChange
      title={t('applications.deleteOne', { name })}
      confirm={t('applications.delete')}
      word={name}
      send={() => client.resources.delete(id)}
      onClose={onClose}
      done={t('applications.deleted', { name })}
    >
      {t('applications.deleteResourceText')}
    </ConfirmChange>
  )
}
