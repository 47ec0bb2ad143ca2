/** What addresses of files call the organization: a server has one. */
export const organizationNumber = 1;
