/** It can be neither disabled nor deleted, and its slug stays; every installation has it under this id. */
export const builtInTenantId = '00000000-0000-4000-8000-000000000001'
