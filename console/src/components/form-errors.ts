import { ApiError, type ErrorReason } from '@tenantry/client'

interface FormLike {
  getValues: () => object
  setErrors: (errors: Record<string, string>) => void
}

/** Conflicts about one field, which the service names only by the error code. */
const fieldOfReason: Partial<Record<ErrorReason, string>> = {
  emailTaken: 'email',
  usernameTaken: 'username',
  slugTaken: 'slug',
  providerSlugTaken: 'slug',
  roleNameTaken: 'name',
  templateNameTaken: 'name',
  permissionCodeTaken: 'code',
  serviceAccountNameTaken: 'name',
  oldPasswordWrong: 'old_password',
  codeWrong: 'code',
  factorWrong: 'code',
}

/** A new user can have a taken e-mail and a taken username at once. */
const errorAt = (field: string, error: ApiError): ApiError =>
  field === 'username' && error.reason === 'emailTaken'
    ? new ApiError({ status: 409, code: 0, reason: 'usernameTaken', message: '' })
    : error

/**
 * Shows the service's refusal beside its fields. The form's fields must have the names of the API. Returns false if an
 * error remains, which an `ErrorPanel` above the form must show.
 */
export const showFieldErrors = (
  form: FormLike,
  error: unknown,
  textOf: (error: unknown) => string,
): boolean => {
  if (!(error instanceof ApiError)) return false
  const named = error.fields.length === 0 && fieldOfReason[error.reason]
  // An entry of a list, such as `events.2`, belongs to the field of the list.
  const found = named ? [named] : error.fields.map(({ field }) => field.replace(/\.\d+$/, ''))
  const shown = found.filter((field) => Object.hasOwn(form.getValues(), field))
  if (shown.length > 0) {
    form.setErrors(Object.fromEntries(shown.map((field) => [field, textOf(errorAt(field, error))])))
  }
  return shown.length > 0 && shown.length === found.length
}
