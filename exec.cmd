@rem Windows has no exec, with which npm start hands its process over to the service.
@%*
