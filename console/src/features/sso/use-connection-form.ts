import type { UseFormReturnType } from '@mantine/form'
import type { Connection, UpdateConnection } from '@tenantry/client'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useFieldRefusals } from './sso.texts.ts'
import { useRenew } from '../../components/use-renew.ts'

/** Saves a form of a connection. A refused field shows the reason. Calls `onSaved` after success. */
export const useConnectionForm = <Values extends Record<string, unknown>>(
  { id }: Connection,
  form: UseFormReturnType<Values>,
  changesOf: (values: Values) => UpdateConnection,
  onSaved: () => void = () => {},
) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenew()
  const showRefusals = useFieldRefusals(form)
  const save = async (values: Values): Promise<boolean> => {
    try {
      await api.sso.updateConnection(id, changesOf(values))
    } catch (err) {
      showRefusals(err)
      return false
    }
    notify(t('connections.saved'))
    form.resetDirty(values)
    await renew()
    return true
  }
  return useSubmit(form, async (values) => {
    if (await save(values)) onSaved()
  })
}
