import { Button, Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type SyntheticEvent } from 'react'
import { changesOf, inputSchemaOf, labelOf, type AttributeValues } from '../../components/attribute-values.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useAttributeErrors } from '../../components/schema-errors.ts'
import { SchemaInput } from '../../components/schema-input.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useRenew } from '../../components/use-renew.ts'
import { useTranslation } from '../../translation.ts'
import type { ValuesProps } from './attribute-parts.tsx'

interface ValuesDialogProps extends ValuesProps {
  onClose: () => void
}

const useValues = ({ values, send, onClose }: ValuesDialogProps) => {
  const renew = useRenew()
  const { t } = useTranslation()
  const notify = useNotify()
  const [typed, setTyped] = useState<AttributeValues>({})
  const changes = changesOf(values, typed)
  const saving = useMutation({
    mutationFn: send,
    onSuccess: async () => {
      onClose()
      notify(t('attributes.saved'))
      await renew()
    },
  })
  return {
    shown: { ...values, ...typed },
    type: (key: string, value: unknown): void => setTyped({ ...typed, [key]: value }),
    isDirty: Object.keys(changes).length > 0,
    save: () => saving.mutate(changes),
    saving,
  }
}

/** Edits values of attributes: those of users and of tenants have the same form. */
export const ValuesDialog = (props: ValuesDialogProps) => {
  const { t } = useTranslation()
  const { onClose } = props
  const editing = useValues(props)
  const { isDirty, save, saving } = editing
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (isDirty) save()
  }
  return (
    <FormDialog isDirty={isDirty} onClose={onClose} title={t('attributes.edit')} isPending={saving.isPending}>
      <form noValidate onSubmit={submit}>
        <Stack>
          <Fields {...props} editing={editing} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={saving.isPending} disabled={!isDirty}>
              {t('common.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  )
}

interface FieldsProps extends ValuesDialogProps {
  editing: ReturnType<typeof useValues>
}

const Fields = ({ attributes, editing: { shown, type, saving } }: FieldsProps) => {
  const { language } = useTranslation()
  const errors = useAttributeErrors()(saving.error, saving.variables)
  return (
    <>
      {saving.error && errors.size === 0 && <ErrorPanel error={saving.error} />}
      {attributes.map((attribute) => (
        <SchemaInput
          key={attribute.key}
          schema={inputSchemaOf(attribute)}
          label={labelOf(attribute, language)}
          path={attribute.key}
          value={shown[attribute.key]}
          onChange={(value) => type(attribute.key, value)}
          errors={errors}
          isReadOnly={false}
        />
      ))}
    </>
  )
}
